import type { DocumentCheck } from '../yaml/document-check.ts';

/** What is known of the connectors of a task, and of the methods that its steps name. */
export function declaredMethods(check: DocumentCheck) {
  const typeOf = (connector: string) =>
    check.connectorTypes?.get(check.typeOf('connectors', connector) ?? '') ?? null;
  const methodOf = ({ connector, method: name }: { readonly connector: string; readonly method: string }) => {
    const type = typeOf(connector);
    const method = type?.methods.find((known) => known.name === name);
    return type === null || method === undefined ? null : { type: type.type, cursor: method.cursor };
  };
  return { typeOf, methodOf };
}
