/** Pagination of a list; what else each takes is the connector's. */
export const PAGING_TYPES = [
  'none',
  'page',
  'offset',
  'cursor',
  'link_header',
  'next_url',
  'keyset',
] as const;
