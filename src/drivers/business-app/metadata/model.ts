/** The entities of an OData service, as its `$metadata` declares them (OData CSDL 4.01). */
export interface EntityModel {
  /** Entity sets and singletons, by name. */
  readonly sets: ReadonlyMap<string, EntitySet>;
  /** Entity and complex types, by qualified name, with the properties of their base types. */
  readonly types: ReadonlyMap<string, StructuredType>;
  /** Qualified names of enumerations. */
  readonly enums: ReadonlySet<string>;
  /** The primitive types of type definitions, by qualified name. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Parameters of actions and functions, by qualified name and, for those that are imported, by short name. */
  readonly operations: ReadonlyMap<string, Operation>;
}

export interface EntitySet {
  readonly name: string;
  readonly kind: 'entity' | 'singleton';
  /** Qualified name of its type. */
  readonly type: string;
}

export interface Property {
  readonly name: string;
  /** `Edm.String`, `Collection(Edm.String)`, or a qualified name; without aliases. */
  readonly type: string;
  readonly nullable: boolean;
  /** Such as `Edm.Decimal(19,4)`. */
  readonly nativeType: string;
}

export interface StructuredType {
  readonly name: string;
  /** Names of the key's properties; empty for complex types. */
  readonly key: readonly string[];
  readonly properties: ReadonlyMap<string, Property>;
  /** Types that navigation properties lead to. */
  readonly navigation: ReadonlyMap<string, string>;
  /** Its records may have properties that are not declared. */
  readonly isOpen: boolean;
}

export interface Operation {
  readonly kind: 'action' | 'function';
  /** Types of the parameters, without the one that a bound operation is bound to. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The type without its definitions: what a value of it is in JSON. */
export function underlyingType(model: EntityModel, type: string): string {
  return model.definitions.get(type) ?? type;
}
