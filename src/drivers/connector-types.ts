/** The connector types of `registry.ts`, for processes that only name them: the registry itself costs memory. */
export const CONNECTOR_TYPES = ['sqlite', 'postgres', 'csv', 'json', 'parquet', 'dummy'] as const;
