interface Page<Item> {
  readonly result: readonly Item[];
  readonly next_cursor: string | null;
}

/** The pages of a list, `limit` records each. */
export async function everyPage<Item>(
  client: { get<T>(path: string): Promise<{ readonly body: T }> },
  path: string,
  limit: number,
): Promise<(readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body }: { readonly body: Page<Item> } = await client.get<Page<Item>>(
      `${path}?limit=${limit}${place}`,
    );
    pages.push(body.result);
    cursor = body.next_cursor;
  }
  return pages;
}
