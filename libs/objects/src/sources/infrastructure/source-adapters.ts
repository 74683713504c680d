import { Injectable } from '@nestjs/common';
import type { SourceKind } from '../domain/source-config';
import type { ObjectSourcePort } from '../domain/source-port';
import { JsonSource } from './json-source';
import { SqlSource } from './sql-source';
import { TableSource } from './table-source';

/** The adapter of each kind of source. */
@Injectable()
export class SourceAdapters {
  private readonly adapters: readonly ObjectSourcePort[];

  constructor(json: JsonSource, table: TableSource, sql: SqlSource) {
    this.adapters = [json, table, sql];
  }

  getAdapter(kind: SourceKind): ObjectSourcePort {
    const adapter = this.adapters.find((one) => one.kind === kind);
    if (!adapter) throw new Error(`Nothing reads sources of the kind ${kind}.`);
    return adapter;
  }
}
