import type { BusinessAppConfig } from '../config.ts';

/** Entities that installations of an application have as a rule: shown while its own list cannot be had. */
const USUAL: Readonly<Record<BusinessAppConfig['application'], readonly string[]>> = {
  dynamics_365: [
    'accounts',
    'appointments',
    'campaigns',
    'competitors',
    'contacts',
    'incidents',
    'invoices',
    'leads',
    'opportunities',
    'phonecalls',
    'products',
    'quotes',
    'salesorders',
    'systemusers',
    'tasks',
    'teams',
  ],
  business_central: [
    'companies',
    'currencies',
    'customers',
    'dimensions',
    'employees',
    'generalLedgerEntries',
    'itemCategories',
    'items',
    'journals',
    'paymentTerms',
    'purchaseInvoices',
    'purchaseOrders',
    'salesInvoices',
    'salesOrders',
    'salesQuotes',
    'vendors',
  ],
  sap: [
    'BusinessPartner',
    'CostCenter',
    'GLAccount',
    'Product',
    'PurchaseOrder',
    'PurchaseRequisition',
    'SalesOrder',
    'Supplier',
  ],
  other: [],
};

/** Those of the configuration, else the usual ones of its application. */
export function fallbackEntities({ application, fallback_entities }: BusinessAppConfig): readonly string[] {
  return fallback_entities.length > 0 ? fallback_entities : USUAL[application];
}
