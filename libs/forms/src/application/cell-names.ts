import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@atrium/platform/kernel';
import type { Cells } from '../domain/cells';
import { NamedReferences, type AskedName } from '../domain/named-references';
import { FormReferences, type ReferenceAsker } from './form-references';

/** Finds out what the names in cells refer to: for all rows of a batch by one question a kind. */
@Injectable()
export class CellNames {
  constructor(private readonly references: FormReferences) {}

  /** Within a unit of work. `terse`: without what else names may mean, which not everyone who reads the faults may see. */
  async of(
    cells: Cells,
    rows: readonly Readonly<Record<string, JsonValue>>[],
    { terse = false, ...asker }: ReferenceAsker & { readonly terse?: boolean },
  ): Promise<NamedReferences> {
    const named = new NamedReferences();
    const asked = cells.names(rows);
    for (const kind of new Set(asked.map(({ field }) => field.type.reference))) {
      if (kind === undefined) continue;
      const ofKind: readonly AskedName[] = asked.filter(({ field }) => field.type.reference === kind);
      const answers = await this.references.named(
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
