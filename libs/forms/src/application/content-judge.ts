import type { Principal } from '@atrium/platform/access';
import { isInJob } from '@atrium/platform/database';
import { isTooComplex, TOO_COMPLEX, type Clock, type Ids, type JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from '../domain/compiled-form';
import { checkContent, refused, type CheckedContent, type CheckOptions } from '../domain/content-check';
import { MOST_CONTENT_BYTES, sizeFault } from '../domain/content-size';

/** How one content is judged, and for whom; null: the service itself. */
export interface Judging extends Omit<CheckOptions, 'now' | 'user' | 'newRowId'> {
  readonly actor: Principal | null;
  readonly mostBytes?: number;
}

/** Judges content at this moment, before its references are asked after. */
export class ContentJudge {
  constructor(
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  judge(form: CompiledForm, content: JsonValue, { actor, mostBytes = MOST_CONTENT_BYTES, ...options }: Judging): CheckedContent {
    const user = actor && { id: actor.user_id, roles: [...actor.role_ids] };
    const checked = checkContent(form, content, { ...options, user, now: this.clock.now(), newRowId: () => this.ids.next() });
    const large = sizeFault(checked.content, mostBytes, options.at);
    return large ? { ...checked, faults: [large] } : checked;
  }
}

/** In a job, content that is too complex is a fault of its row alone, and the other rows go on; elsewhere where `isFault` says so. */
export function withinEffort(at: string, judge: () => CheckedContent, isFault: () => boolean = isInJob): CheckedContent {
  try {
    return judge();
  } catch (error) {
    if (!isFault() || !isTooComplex(error)) throw error;
    return refused({ path: at, code: TOO_COMPLEX, message: error.detail });
  }
}
