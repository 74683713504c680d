import { Injectable } from '@nestjs/common';
import { Assist, SubjectReaders } from '@atrium/ai';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidFields, Problem, unknownReference } from '@atrium/platform/kernel';
import { ServedTargets } from '../../connections/application/served-targets';
import { SocialPort } from '../../network/domain/social-port';
import { wholeWords } from '../domain/post-parts';

const LONGEST_SOURCE = 50_000;

export interface DraftSource {
  readonly node_id?: string;
  readonly file_id?: string;
  readonly de_id?: string;
  readonly text?: string;
}

export interface DraftWish {
  readonly source: DraftSource;
  readonly targets?: readonly string[];
  readonly tone?: string;
  readonly language?: string;
  readonly count?: number;
}

export interface ProposedTexts {
  readonly proposals: readonly { readonly text: string; readonly length: number }[];
  /** What the proposals leave out; null: nothing. */
  readonly limits: string | null;
}

const KINDS = { node_id: 'node', file_id: 'file', de_id: 'design' } as const;

/** Proposes texts of posts; nothing is stored. */
@Injectable()
export class DraftTexts {
  constructor(
    private readonly db: Database,
    private readonly assist: Assist,
    private readonly subjects: SubjectReaders,
    private readonly targets: ServedTargets,
    private readonly port: SocialPort,
  ) {}

  async proposeTexts(caller: Principal, { source, targets = [], tone, language, count = 1 }: DraftWish): Promise<ProposedTexts> {
    await this.assertTargets(targets);
    const text = await this.readSource(caller, source);
    const units = this.port.limits.text_units;
    const limits = new Set<string>();
    const texts: string[] = [];
    for (let at = 1; at <= count; at++) {
      const answer = await this.writeOne(caller, { text, ...(tone ? { tone } : {}), ...(language ? { language } : {}), number: at, units });
      texts.push(withinUnits(answer.text, units));
      if (answer.limits !== null) limits.add(answer.limits);
      // Rules have one proposal.
      if (answer.isQuoted) break;
    }
    const distinct = [...new Set(texts)];
    return {
      proposals: distinct.map((one) => ({ text: one, length: one.length })),
      limits: limits.size === 0 ? null : [...limits].join(' '),
    };
  }

  private async writeOne(
    caller: Principal,
    {
      text,
      tone,
      language,
      number,
      units,
    }: { readonly text: string; readonly tone?: string; readonly language?: string; readonly number: number; readonly units: number },
  ): Promise<{ readonly text: string; readonly limits: string | null; readonly isQuoted: boolean }> {
    const instruction = `Write a post for a professional social network about this text, of at most ${Math.floor(units / 2)} characters, without a heading and without quotation marks around it. This is proposal ${number}; make it different from other proposals.`;
    try {
      const { results, limits } = await this.assist.runTask(caller, 'rewrite', {
        text,
        instruction,
        ...(tone ? { tone } : {}),
        ...(language ? { language } : {}),
      });
      return { text: results[0]?.text ?? '', limits, isQuoted: false };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_configured') throw error;
      const { results, limits } = await this.assist.runTask(caller, 'summarize', { text, length: 'short' });
      return { text: results[0]?.text ?? '', limits, isQuoted: true };
    }
  }

  private async readSource(caller: Principal, source: DraftSource): Promise<string> {
    const named = (['node_id', 'file_id', 'de_id'] as const).flatMap((name) =>
      source[name] === undefined ? [] : [{ name, id: source[name].toLowerCase() }],
    );
    if (named.length + (source.text === undefined ? 0 : 1) !== 1)
      throw invalidField('source', 'must have exactly one of node_id, file_id, de_id and text', 'required');
    const [only] = named;
    if (!only) return source.text ?? '';
    const found = await this.subjects.readText(caller, { type: KINDS[only.name], id: only.id });
    if (!found) throw unknownReference(`source.${only.name}`, KINDS[only.name] === 'node' ? 'page' : KINDS[only.name]);
    if (found.text.trim() === '')
      throw new Problem('unprocessable_content', 'The source contains no text, or its text has not been extracted yet.');
    return found.text.slice(0, LONGEST_SOURCE);
  }

  private async assertTargets(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await this.db.read(() => this.targets.findTargets(ids.map((id) => id.toLowerCase())));
    const faults = ids.flatMap((id, at) =>
      known.has(id.toLowerCase()) ? [] : [{ path: `targets[${at}]`, code: 'reference', message: 'must be a target of this workspace' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
  }
}

/** Whole words, as many as the platform takes. */
function withinUnits(text: string, units: number): string {
  const plain = text.trim();
  if (plain.length <= units) return plain;
  return `${wholeWords(plain.slice(0, units - 1))}…`;
}
