import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { PersonCatalog } from '../infrastructure/person-catalog.rows';
import { PersonDataSources } from '../../shared/application/person-data';
import { PersonTexts } from './person-texts';

/**
 * Checks hosts before they serve or run jobs: none starts while a column points to people, or an erasure cannot reach a text, and no
 * context says what becomes of it; nor while nobody says which rows of a table the person may read that exports show whole.
 */
@Injectable()
export class PersonColumnsCheck implements OnModuleInit {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly catalog: PersonCatalog,
    private readonly texts: PersonTexts,
    private readonly acls: AclSources,
  ) {}

  async onModuleInit(): Promise<void> {
    const faults = [...(await this.unregistered()), ...(await this.uncovered()), ...(await this.unknown()), ...this.unguarded()];
    if (faults.length > 0)
      throw new Error(
        `What becomes of the data of people is not settled, so the service does not start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
      );
  }

  private async unregistered(): Promise<string[]> {
    const known = new Set(this.sources.listColumns().map(nameOf));
    return (await this.catalog.findPersonColumns())
      .filter((pointer) => !known.has(nameOf(pointer)))
      .map((pointer) => `${nameOf(pointer)} points to people, and no context has registered it (PersonDataSources)`);
  }

  private async uncovered(): Promise<string[]> {
    return (await this.texts.findUncoveredTexts()).map(
      (column) => `${column} is text that an erasure cannot change, and no context says why it stays (PersonData.stays)`,
    );
  }

  /** Tables whose rows an export would show whatever the person may read now, and those that are declared open and need not be. */
  private unguarded(): string[] {
    const open = new Set(this.sources.listOpenTables());
    const isGuarded = (table: string): boolean => {
      const { rows, readable } = this.sources.getOwnTable(table);
      return rows !== undefined || readable !== undefined || this.acls.readableCondition(table, null) !== null;
    };
    const whole = this.sources.listWholeTables();
    return [
      ...whole
        .filter((table) => !open.has(table) && !isGuarded(table))
        .map(
          (table) =>
            `${table} is exported whole, and no context says which rows the person may read (PersonTable.readable, PersonData.open)`,
        ),
      ...[...open]
        .filter((table) => !whole.includes(table) || isGuarded(table))
        .map((table) => `${table} is declared open (PersonData.open), and is not exported whole or has a condition`),
    ];
  }

  private async unknown(): Promise<string[]> {
    const tables = await this.catalog.describeTables();
    const missing = this.sources
      .listColumns()
      .filter(({ table, column, hidden = [], along = [] }) =>
        [column, ...hidden, ...along].some((name) => !tables.get(table)?.columns.has(name)),
      );
    const staying = this.sources.listStayingTexts().filter((column) => {
      const [table = '', name = ''] = column.split('.');
      return !tables.get(table)?.texts.some((text) => text.column === name);
    });
    return [...missing.map(nameOf), ...staying].map(
      (column) => `${column} is registered (PersonDataSources), and it or a column it names is not there`,
    );
  }
}

const nameOf = ({ table, column }: { readonly table: string; readonly column: string }): string => `${table}.${column}`;
