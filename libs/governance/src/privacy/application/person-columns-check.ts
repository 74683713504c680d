import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonCatalog } from '../infrastructure/person-catalog.rows';
import { PersonDataSources } from '../../shared/application/person-data';
import { PersonTexts } from './person-texts';

/** Checks hosts before they serve or run jobs: none starts while a column points to people, or an erasure cannot reach a text, and no context says what becomes of it. */
@Injectable()
export class PersonColumnsCheck implements OnModuleInit {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly catalog: PersonCatalog,
    private readonly texts: PersonTexts,
  ) {}

  async onModuleInit(): Promise<void> {
    const faults = [...(await this.unregistered()), ...(await this.uncovered()), ...(await this.unknown())];
    if (faults.length > 0)
      throw new Error(
        `What becomes of the data of people is not settled, so the service does not start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
      );
  }

  private async unregistered(): Promise<string[]> {
    const known = new Set(this.sources.columns().map(nameOf));
    return (await this.catalog.pointers())
      .filter((pointer) => !known.has(nameOf(pointer)))
      .map((pointer) => `${nameOf(pointer)} points to people, and no context has registered it (PersonDataSources)`);
  }

  private async uncovered(): Promise<string[]> {
    return (await this.texts.uncovered()).map(
      (column) => `${column} is text that an erasure cannot change, and no context says why it stays (PersonData.stays)`,
    );
  }

  private async unknown(): Promise<string[]> {
    const tables = await this.catalog.tables();
    const missing = this.sources
      .columns()
      .filter(({ table, column, hidden = [], along = [] }) =>
        [column, ...hidden, ...along].some((name) => !tables.get(table)?.columns.has(name)),
      );
    const staying = this.sources.staying().filter((column) => {
      const [table = '', name = ''] = column.split('.');
      return !tables.get(table)?.texts.some((text) => text.column === name);
    });
    return [...missing.map(nameOf), ...staying].map(
      (column) => `${column} is registered (PersonDataSources), and it or a column it names is not there`,
    );
  }
}

const nameOf = ({ table, column }: { readonly table: string; readonly column: string }): string => `${table}.${column}`;
