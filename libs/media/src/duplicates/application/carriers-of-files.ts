import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileMerging, type MovedFavorite, type MovedMetadata, type MovedSummary } from '@atrium/files';
import type { JsonObject } from '@atrium/platform/kernel';
import { DuplicateCarriers } from './duplicate-carriers';

/** Transfers what the files themselves have: favorites of all members, metadata, summaries. */
@Injectable()
export class CarriersOfFiles implements OnModuleInit {
  constructor(
    private readonly carriers: DuplicateCarriers,
    private readonly merging: FileMerging,
  ) {}

  onModuleInit(): void {
    this.carriers.register({
      carries: 'favorites',
      carryOver: async (files) => recordOfRows(await this.merging.mergeFavorites(files)),
      undoCarry: (record) => this.merging.undoFavorites(rowsOf<MovedFavorite>(record)),
    });
    this.carriers.register({
      carries: 'metadata',
      carryOver: async (files) => recordOfRows(await this.merging.mergeMetadata(files)),
      undoCarry: (record) => this.merging.undoMetadata(rowsOf<MovedMetadata>(record)),
    });
    this.carriers.register({
      carries: 'summary',
      carryOver: async (files) => recordOfRows(await this.merging.mergeSummary(files)),
      undoCarry: (record) => this.merging.undoSummary(rowsOf<MovedSummary>(record)),
    });
  }
}

/** What was moved, row by row. */
export const recordOfRows = (rows: readonly object[]): { readonly moved: number; readonly record: JsonObject } => ({
  moved: rows.length,
  record: { rows: rows as readonly JsonObject[] },
});

/** The rows of a record that `recordOfRows` made. */
export const rowsOf = <R>(record: JsonObject): readonly R[] => record['rows'] as readonly R[];
