import { Injectable } from '@nestjs/common';
import { Problem, type FieldFault } from '@atrium/platform/kernel';
import { ForeignMarkup } from '@atrium/retrieval';
import { LONGEST_BODY } from '../domain/knowledge-record';
import type { CleanWish, RecordWish } from '../domain/record-facts';

/** Characters of the texts that are worked on in one go: enough for many usual ones, and soon done. */
const AT_ONCE = 500_000;
/** So many texts of one batch may take too long before the others are not tried any more. */
const MOST_REFUSALS = 5;

/**
 * Makes the bodies of text records what is stored: markdown without HTML. Done before the unit of work that writes them, in the bounded
 * processes, because what users wrote may take as long as they like.
 */
@Injectable()
export class RecordBodies {
  constructor(private readonly markup: ForeignMarkup) {}

  /** The wish of one request; a body that cannot be read in time is a problem of it. */
  async cleanBody(form_id: string | null, wish: RecordWish): Promise<CleanWish> {
    const body = bodyOf(form_id, wish);
    if (body === undefined) return { ...wish, isClean: true };
    const [cleaned = ''] = await this.markup.removeHtml([body]);
    return withBody(wish, cleaned);
  }

  /** The wishes of a batch, each for itself: a body that cannot be read in time is the fault of its wish alone. */
  async cleanAll(
    form_id: string | null,
    wishes: readonly RecordWish[],
    signal?: AbortSignal,
  ): Promise<readonly (CleanWish | FieldFault)[]> {
    const answers: (CleanWish | FieldFault)[] = [];
    let refusals = 0;
    for (const group of groupsOf(wishes)) {
      const bodies = group.map((wish) => bodyOf(form_id, wish) ?? '');
      const cleaned = refusals < MOST_REFUSALS ? await this.together(bodies, signal) : undefined;
      for (const [at, wish] of group.entries()) {
        const body = bodies[at] ?? '';
        const outcome = cleaned?.[at] ?? (refusals < MOST_REFUSALS ? await this.alone(body, signal) : TOO_MANY);
        if (typeof outcome !== 'string') refusals++;
        answers.push(typeof outcome === 'string' ? withBody(wish, outcome) : outcome);
      }
    }
    return answers;
  }

  /** Undefined where one of them cannot be read: which one is found by reading each alone. */
  private async together(bodies: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
    try {
      return await this.markup.removeHtml(bodies, { signal });
    } catch (error) {
      if (error instanceof Problem && error.code === 'unprocessable_content') return undefined;
      throw error;
    }
  }

  private async alone(body: string, signal: AbortSignal | undefined): Promise<string | FieldFault> {
    try {
      return (await this.markup.removeHtml([body], { signal }))[0] ?? '';
    } catch (error) {
      if (error instanceof Problem && error.code === 'unprocessable_content') return tooComplex(error.detail);
      throw error;
    }
  }
}

const tooComplex = (message: string): FieldFault => ({ path: 'rec_content.body', code: 'too_complex', message });
const TOO_MANY = tooComplex(`It was not read: ${MOST_REFUSALS} texts before it could not be read in time.`);

/** What is to be cleaned; undefined where nothing is, or where it is refused anyway. */
function bodyOf(form_id: string | null, { rec_content }: RecordWish): string | undefined {
  const body = form_id === null ? rec_content?.['body'] : undefined;
  return typeof body === 'string' && body.length <= LONGEST_BODY ? body : undefined;
}

function withBody(wish: RecordWish, cleaned: string): CleanWish {
  const body = wish.rec_content?.['body'];
  if (typeof body !== 'string' || body.length > LONGEST_BODY || body === cleaned) return { ...wish, isClean: true };
  return { ...wish, rec_content: { ...wish.rec_content, body: cleaned }, isClean: true };
}

function* groupsOf(wishes: readonly RecordWish[]): Generator<readonly RecordWish[]> {
  let group: RecordWish[] = [];
  let size = 0;
  for (const wish of wishes) {
    const body = wish.rec_content?.['body'];
    const length = typeof body === 'string' ? body.length : 0;
    if (group.length > 0 && size + length > AT_ONCE) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(wish);
    size += length;
  }
  if (group.length > 0) yield group;
}
