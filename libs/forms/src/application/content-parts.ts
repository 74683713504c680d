import type { Principal } from '@atrium/platform/access';
import { inStep } from '@atrium/platform/database';
import { invalidFields, LoopTurns, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from '../domain/compiled-form';
import type { CheckedContent } from '../domain/content-check';
import { withinEffort, type ContentJudge } from './content-judge';
import type { FormReferences, ReferenceAsker, ReferenceScope } from './form-references';

/** Contents that are checked together: the 2,000 blocks that one page may have, and its root. */
const MOST_PARTS = 2_001;
/** Faults that are kept of all parts together, besides one of each part that has any. */
const MOST_KEPT = 1_000;

/** A piece of content with a form of its own, such as a block of a page. */
export interface ContentPart {
  readonly form: CompiledForm;
  readonly content: JsonValue;
  /** What is stored of the part: it is replaced, except for values that its writer does not see or cannot write. Without it the part is new. */
  readonly previous?: JsonObject | null;
  /** The position of the part in the request, for paths of faults. */
  readonly at: string;
}

/** How the parts are checked. */
export interface PartsOptions {
  /** Missing values, lists that are too short and rules that do not hold are issues and keep nothing from being stored. */
  readonly incomplete?: boolean;
  /** What references stay within: `{ site }`. */
  readonly scope?: ReferenceScope;
  /** A source, an import or the service itself: it may write what is read only. */
  readonly trusted?: boolean;
  /** Of one part. */
  readonly mostBytes?: number;
}

/** A part in the form in which it is stored. It is stored only where no part has a fault. */
export interface CheckedPart {
  readonly content: JsonObject;
  readonly faults: readonly FieldFault[];
  /** What is still missing: each is an error to who publishes the content. */
  readonly issues: readonly FieldFault[];
}

/** A part as it is stored. */
export interface StoredPart {
  readonly form: CompiledForm;
  readonly content: JsonObject;
  readonly at: string;
}

/** Content in parts of different forms, judged as one: one effort, one question for each kind of references. */
export class ContentParts {
  constructor(
    private readonly references: FormReferences,
    private readonly judge: ContentJudge,
  ) {}

  async validateParts(parts: readonly ContentPart[], actor: Principal | null, options: PartsOptions): Promise<readonly CheckedPart[]> {
    const { scope, ...judging } = options;
    const checked = await judgeEach(parts, ({ form, content, previous = null, at }) =>
      withinEffort(at, () => this.judge.judge(form, content, { ...judging, actor, at, mode: previous ? 'replace' : 'create', previous })),
    );
    const misfits = await this.findMisfits(checked, { actor, ...(scope ? { scope } : {}) });
    const kept = new KeptFaults();
    return checked.map(({ content, faults, issues }, at) => ({
      content,
      faults: kept.keepSome([...faults, ...(misfits[at] ?? [])]),
      issues: kept.keepSome(issues),
    }));
  }

  /** What is wrong with each part as it is stored; with an asker all of its references are asked after again. */
  async inspectParts(parts: readonly StoredPart[], asker: ReferenceAsker | null): Promise<readonly (readonly FieldFault[])[]> {
    const judging = {
      actor: asker?.actor ?? null,
      mode: 'update',
      trusted: true,
      asksStored: asker !== null,
      mostBytes: Infinity,
    } as const;
    // What costs too much to judge is an issue: the content is read all the same.
    const checked = await judgeEach(parts, ({ form, content, at }) =>
      withinEffort(
        at,
        () => this.judge.judge(form, {}, { ...judging, at, previous: content }),
        () => true,
      ),
    );
    const misfits = asker ? await this.findMisfits(checked, asker) : [];
    const kept = new KeptFaults();
    return checked.map(({ faults }, at) => kept.keepSome([...faults, ...(misfits[at] ?? [])]));
  }

  private findMisfits(checked: readonly CheckedContent[], asker: ReferenceAsker): Promise<readonly (readonly FieldFault[])[]> {
    const asking = checked.map(({ faults, references }) => ({ owner_id: null, references: faults.length > 0 ? [] : references }));
    return this.references.findFaults(asking, asker);
  }
}

/** In a job all parts together are one step; other work has its turns between them. */
function judgeEach<P extends { readonly at: string }>(
  parts: readonly P[],
  judge: (part: P) => CheckedContent,
): Promise<readonly CheckedContent[]> {
  const first = parts[MOST_PARTS];
  if (first) throw invalidFields([{ path: first.at, code: 'length', message: `Content can have at most ${MOST_PARTS} parts.` }]);
  return inStep(async () => {
    const turns = new LoopTurns();
    const checked: CheckedContent[] = [];
    for (const part of parts) {
      if (turns.isOver) await turns.awaitNextTurn();
      checked.push(judge(part));
    }
    return checked;
  });
}

/** Keeps the first faults, and of each part one: a part that has any never seems to be without. */
class KeptFaults {
  private room = MOST_KEPT;

  keepSome(faults: readonly FieldFault[]): readonly FieldFault[] {
    const kept = faults.slice(0, Math.max(1, this.room));
    this.room -= kept.length;
    return kept;
  }
}
