import { lookAt, rowsOfTable, Tabular, type ReadOptions, type TableSnapshot } from '@atrium/platform/tabular';

/** A table in a file, and how many of its rows are shown. */
export interface TableToInspect {
  readonly path: string;
  readonly options: ReadOptions;
  readonly rows: number;
}

export const perform = async ({ path, options, rows }: TableToInspect): Promise<TableSnapshot> =>
  lookAt(rowsOfTable(await Tabular.open(path, options), options.sheet), rows);
