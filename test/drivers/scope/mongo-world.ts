import { aggregate, find, ProcessingMode } from 'mingo';

/** Documents by collection. */
export type World = Readonly<Record<string, readonly object[]>>;

/** What a filter finds in the collection `main`, by the reference evaluator. */
export function found(world: World, filter: object): unknown[] {
  return find([...(world['main'] ?? [])], filter as never).all();
}

/** What a pipeline over the collection `main` gives. Every stage works on documents of its own. */
export function piped(world: World, pipeline: readonly object[]): unknown[] {
  const collectionOf = (name: string) => structuredClone(world[name] ?? []) as object[];
  return aggregate(collectionOf('main'), [...pipeline] as never, {
    processingMode: ProcessingMode.CLONE_ALL,
    collectionResolver: collectionOf as never,
  });
}
