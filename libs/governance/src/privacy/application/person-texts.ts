import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '../../shared/application/person-data';
import { PersonCatalog, type DescribedText } from '../infrastructure/person-catalog.rows';

/** The context that answers for tables in which nobody has registered a column. */
const REST = 'platform';

/** A text in which a person stays mentioned. */
export interface StayingText {
  readonly column: string;
  readonly because: string;
}

/**
 * Which texts and JSON of a workspace an erasure redacts: all that the database knows, but for those that a context
 * declares to stay and those that it redacts itself. None is in no list.
 */
@Injectable()
export class PersonTexts {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly catalog: PersonCatalog,
  ) {}

  /** The tables with texts that are processed with a context: those it has registered, and with the last of them all others. */
  async listTables(context: string): Promise<readonly string[]> {
    const owners = new Map(this.sources.listSources().flatMap(({ context: owner, tables }) => tables.map(({ table }) => [table, owner])));
    const tables = await this.catalog.describeTables();
    return [...tables]
      .filter(([table, { columns, texts }]) => columns.has('tenant_id') && texts.length > 0 && (owners.get(table) ?? REST) === context)
      .map(([table]) => table);
  }

  /** The texts of a table that are redacted. */
  async listRedactedTexts(table: string): Promise<readonly DescribedText[]> {
    return (await this.textsOf(table)).filter(
      ({ column }) => !this.isOwn(table, column) && this.sources.findReasonToStay(table, column) === undefined,
    );
  }

  /** The texts of a table that stay. */
  async listStayingTexts(table: string): Promise<readonly StayingText[]> {
    return (await this.textsOf(table)).flatMap(({ column }) => {
      const because = this.sources.findReasonToStay(table, column);
      return because === undefined ? [] : [{ column, because }];
    });
  }

  /** Texts that no rule covers: an erasure cannot change them, and no context says why they stay. */
  async findUncoveredTexts(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const table of (await this.catalog.describeTables()).keys())
      for (const { column, isKey, isWritable } of await this.listRedactedTexts(table))
        if (isKey || !isWritable) found.push(`${table}.${column}`);
    return found.sort();
  }

  private isOwn(table: string, column: string): boolean {
    return this.sources.getOwnTable(table).texts?.includes(column) ?? false;
  }

  private async textsOf(table: string): Promise<readonly DescribedText[]> {
    const described = (await this.catalog.describeTables()).get(table);
    return described?.columns.has('tenant_id') ? described.texts : [];
  }
}
