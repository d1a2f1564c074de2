/** Texts to the left, numbers to the right, each column as wide as its widest cell. The first row is the head. */
export function layOutTable(rows: readonly (readonly string[])[], textColumns: number): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < textColumns ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('   ')
      .trimEnd(),
  );
}
