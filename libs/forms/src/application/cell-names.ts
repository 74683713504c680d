import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { inTurns, type JsonValue } from '@atrium/platform/kernel';
import type { Cells } from '../domain/cells';
import { NamedReferences, type AskedName } from '../domain/named-references';
import { FormReferences, type ReferenceAsker } from './form-references';

/** Finds out what the names in cells refer to: for all rows of a batch by one question a kind. */
@Injectable()
export class CellNames {
  constructor(
    private readonly db: Database,
    private readonly references: FormReferences,
  ) {}

  /** Looks for the names in turns with other work, so outside of a unit of work where there is a choice. `terse`: without what else names may mean, which not everyone who reads the faults may see. */
  async resolveNames(
    cells: Cells,
    rows: readonly Readonly<Record<string, JsonValue>>[],
    { terse = false, ...asker }: ReferenceAsker & { readonly terse?: boolean },
  ): Promise<NamedReferences> {
    const asked = await inTurns(cells.namesInRows(rows));
    return this.db.read(() => this.meant(asked, asker, terse));
  }

  private async meant(asked: readonly AskedName[], asker: ReferenceAsker, terse: boolean): Promise<NamedReferences> {
    const named = new NamedReferences();
    for (const kind of new Set(asked.map(({ field }) => field.type.reference))) {
      if (kind === undefined) continue;
      const ofKind: readonly AskedName[] = asked.filter(({ field }) => field.type.reference === kind);
      const answers = await this.references.resolveNames(
        kind,
        ofKind.map(({ name, field }) => ({ name, settings: field.settings })),
        asker,
      );
      ofKind.forEach((one, at) => {
        const answer = answers[at];
        if (answer) named.add(one, terse && 'misfit' in answer ? { misfit: answer.misfit } : answer);
      });
    }
    return named;
  }
}
