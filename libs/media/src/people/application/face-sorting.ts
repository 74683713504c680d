import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FaceClusters, type Sorting, type Verdict } from '../domain/face-clusters';
import { FaceSortingRows } from '../infrastructure/face-sorting.rows';
import { FaceVectors } from '../infrastructure/face-vectors';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { ConsentWithdrawal } from './consent-withdrawal';

const AT_ONCE = 500;
const MOST_AT_A_STRETCH_MS = 20;

type Assigned = Extract<Verdict, { readonly state: 'assigned' }>;

/**
 * Sorts the faces of a workspace that are new or changed. The sorting is done outside of any unit of work and written in
 * batches, each only where nobody decided otherwise in the meantime; a run that is cut off is done again and ends the same.
 */
@Injectable()
export class FaceSorting {
  constructor(
    private readonly db: Database,
    private readonly sorted: FaceSortingRows,
    private readonly faces: FacesRepository,
    private readonly people: PeopleRepository,
    private readonly vectors: FaceVectors,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
  ) {}

  /** How many faces were looked at again. */
  async sortFaces(signal: AbortSignal): Promise<number> {
    const { rows, known, rejected } = await this.db.read(async () => ({
      rows: await this.faces.findComparable(),
      known: await this.people.findKnownPeople(),
      rejected: await this.faces.findRejections(),
    }));
    if (!rows.some(({ fresh }) => fresh)) return 0;
    const vectors = await this.vectors.loadVectors(new Map(rows.map(({ id, stamp }) => [id, String(stamp)])));
    const faces = rows.flatMap(({ stamp: _, ...face }) => {
      const vector = vectors.get(face.id);
      return vector ? [{ ...face, vector }] : [];
    });
    signal.throwIfAborted();
    const sorting = await inTurns(new FaceClusters(faces, known, rejected, () => this.ids.next()), signal);
    await this.write(sorting, signal);
    await this.db.write(() => this.sorted.markCompared(rows.flatMap(({ id, stamp, fresh }) => (fresh ? [{ id, stamp }] : []))));
    return sorting.verdicts.length;
  }

  /** People first made in a batch are made with their first face, so that none is left without any. */
  private async write({ verdicts, people }: Sorting, signal: AbortSignal): Promise<void> {
    const fresh = new Set(people);
    for (let at = 0; at < verdicts.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const batch = verdicts.slice(at, at + AT_ONCE);
      const wanted = new Set(
        batch.flatMap((verdict) => (verdict.state === 'assigned' && fresh.has(verdict.person) ? [verdict.person] : [])),
      );
      for (const person of wanted) fresh.delete(person);
      await this.db.write(async () => {
        await this.faces.lockAll();
        await this.people.addUnnamed([...wanted]);
        await this.assign(batch.filter((verdict): verdict is Assigned => verdict.state === 'assigned'));
        await this.suggest(batch.filter((verdict) => verdict.state !== 'assigned'));
      });
    }
  }

  private async assign(verdicts: readonly Assigned[]): Promise<void> {
    if (verdicts.length === 0) return;
    const rows = await this.sorted.assignFaces(verdicts);
    await this.withdrawal.withdrawOfFaces(rows.map(({ face_id }) => face_id));
    await this.faces.deleteSuggestions(rows.map(({ face_id }) => face_id));
    for (const { face_id, face_person, face_file } of rows)
      this.outbox.emitEvent({ name: 'face.assigned', subject_id: face_id, payload: { person_id: face_person, file_id: face_file } });
  }

  private async suggest(verdicts: readonly Verdict[]): Promise<void> {
    if (verdicts.length === 0) return;
    const open = await this.sorted.updateStates(verdicts);
    await this.faces.deleteSuggestions([...open]);
    const present = await this.people.findKnownPeople();
    const suggestions = verdicts.flatMap((verdict) =>
      verdict.state === 'suggested' && open.has(verdict.face)
        ? verdict.near.filter(({ person }) => present.has(person)).map((near) => ({ face: verdict.face, ...near }))
        : [],
    );
    if (suggestions.length > 0) await this.faces.insertSuggestions(suggestions);
  }
}

/** Among a hundred thousand faces sorting takes long: in the meantime the process keeps answering, and the run can be cut off. */
async function inTurns(clusters: FaceClusters, signal: AbortSignal): Promise<Sorting> {
  const steps = clusters.sortStepwise();
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < MOST_AT_A_STRETCH_MS) continue;
    await turn();
    signal.throwIfAborted();
    since = performance.now();
  }
}
