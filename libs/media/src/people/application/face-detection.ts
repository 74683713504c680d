import { Injectable } from '@nestjs/common';
import { DescribedFiles, HeldFiles, type DescribedFile } from '@atrium/files';
import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import { ModelUsage } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { clampedBox, MOST_FACES, overlapOf } from '../domain/face';
import { FaceProvider, type Detection, type UprightPicture } from '../domain/face-provider';
import { FacePictures } from '../infrastructure/face-pictures';
import { digestOfFace } from '../infrastructure/face-vectors';
import { FaceScanRows } from '../infrastructure/face-scans.rows';
import { FacesRepository, type FaceOnFile, type FoundFace } from '../infrastructure/faces.repository';
import { FaceUpkeep } from './face-upkeep';

/** Whether a workspace wants faces to be looked for at all. */
export const FACES_ENABLED: WorkspaceOption<boolean> = {
  key: 'faces_enabled',
  schema: { type: 'boolean' },
  default: false,
  description:
    'Whether faces are detected in pictures and assigned to people. Turning it off stops detection and does not delete existing faces; use DELETE /admin/faces for that.',
};

/** Two boxes that share so much are one face. */
const SAME_FACE = 0.5;
const PARAM = 'media.face_images';

type Seen = Omit<FoundFace, 'face_id' | 'crop' | 'erased'> & { readonly digest: Buffer | null };
/** The content that is inspected, the name of the detection, and when the file was inspected before. */
type DetectionTarget = { readonly hash: string; readonly call: string; readonly before: string | null };
type Sighting = { readonly seen: Seen; readonly known: FaceOnFile | null; readonly face_id: string };

/**
 * Looks for the faces of one file and brings its rows in line with what is there: faces seen before keep their id and
 * what people decided, ignored and erased ones stay so, and what is no longer seen goes unless people decided about it.
 */
@Injectable()
export class FaceDetection {
  constructor(
    private readonly db: Database,
    private readonly provider: FaceProvider,
    private readonly options: WorkspaceOptions,
    private readonly files: DescribedFiles,
    private readonly held: HeldFiles,
    private readonly pictures: FacePictures,
    private readonly faces: FacesRepository,
    private readonly scans: FaceScanRows,
    private readonly upkeep: FaceUpkeep,
    private readonly usage: ModelUsage,
    private readonly ids: Ids,
  ) {}

  isEnabled(): Promise<boolean> {
    return this.options.readOption(FACES_ENABLED);
  }

  /** Null when it was inspected or needs no inspection now; else why not. `call` names the detection in every attempt: it is charged once. */
  async detectFaces(
    file_id: string,
    { again, call, signal }: { readonly again: boolean; readonly call: string; readonly signal: AbortSignal },
  ): Promise<string | null> {
    if (!this.provider.configured || !(await this.isEnabled())) return 'not_configured';
    const file = (await this.files.describeFiles([file_id], 'media')).get(file_id);
    if (!file) return 'not_found';
    const picture = file.file_kind === 'image' ? await this.pictures.openUpright(file) : null;
    if (!picture) return 'unprocessable_content';
    const hash = await this.db.read(() => this.held.readContentKey(file_id));
    if (hash === null || (!again && (await this.db.read(() => this.scans.hasScan(file_id, hash))))) return null;
    const before = await this.db.read(() => this.scans.findScanTime(file_id));
    const detection = await this.provider.detectFaces(picture, signal);
    await this.keep(file, { hash, call, before }, picture, detection);
    return null;
  }

  private async keep(
    { file_id }: DescribedFile,
    look: DetectionTarget,
    picture: UprightPicture,
    { faces, model }: Detection,
  ): Promise<void> {
    const seen = faces.slice(0, MOST_FACES).flatMap(({ box, prob, embedding }): Seen[] => {
      const clamped = clampedBox(box);
      return clamped ? [{ box: clamped, confidence: prob, vector: embedding, digest: embedding && digestOfFace(embedding, model) }] : [];
    });
    const sightings = matched(seen, await this.db.read(() => this.faces.listFacesOfFile(file_id)), () => this.ids.next());
    const erased = await this.db.read(() => this.faces.filterErased(seen.flatMap(({ digest }) => digest ?? [])));
    const found: (FoundFace & { readonly known: FaceOnFile | null })[] = [];
    for (const { seen: one, known, face_id } of sightings) {
      const gone = known?.face_erased === true || (one.digest !== null && erased.has(one.digest.toString('hex')));
      const box = known?.face_source === 'manual' ? known.face_box : one.box;
      const crop = gone || known?.face_state === 'ignored' ? null : await this.pictures.cropFace(face_id, file_id, box, picture);
      found.push({ face_id, box: one.box, confidence: one.confidence, vector: one.vector, crop, erased: gone, known });
    }
    await this.write(file_id, { ...look, model, found });
  }

  /** Of simultaneous detections the first is kept: the cut-outs of a later one are removed, or the file would show faces twice. */
  private write(
    file_id: string,
    {
      hash,
      call,
      before,
      model,
      found,
    }: DetectionTarget & { readonly model: string; readonly found: readonly (FoundFace & { readonly known: FaceOnFile | null })[] },
  ): Promise<void> {
    return this.db.write(async () => {
      await this.faces.lockAll();
      const file = await this.held.lockContentKey(file_id);
      const made = found.flatMap(({ crop }) => crop ?? []);
      if (file?.key !== hash) return this.upkeep.queueCropRemoval(made);
      this.usage.chargeCall({ param: PARAM, units: 1, model, user: null, call, ref: { file_id } });
      if ((await this.scans.findScanTime(file_id)) !== before) return this.upkeep.queueCropRemoval(made);
      const present = await this.faces.listFacesOfFile(file_id);
      const there = new Map(present.map((face) => [face.face_id, face]));
      await this.faces.insertFaces(
        file_id,
        found.filter(({ known }) => known === null),
        model,
        file.hidden,
      );
      await this.faces.updateFaces(
        found.filter(({ face_id }) => there.has(face_id)),
        model,
      );
      const seenAgain = new Set(found.map(({ face_id }) => face_id));
      const lost = present.filter(
        (face) => face.face_source === 'detected' && !face.face_decided && !face.face_erased && !seenAgain.has(face.face_id),
      );
      await this.faces.deleteFaces(lost.map(({ face_id }) => face_id));
      const named = new Set(cropsOf(await this.faces.listFacesOfFile(file_id)));
      this.upkeep.queueCropRemoval([...cropsOf(present), ...made].filter((key) => !named.has(key)));
      await this.scans.saveScan({ file_id, hash, model, faces: found.length });
      this.upkeep.queueSorting('faces');
    });
  }
}

const cropsOf = (faces: readonly FaceOnFile[]): string[] => faces.flatMap(({ face_crop }) => face_crop ?? []);

/** Each face that was seen with the one known in its place, best first; a new id where nobody was there. */
function matched(seen: readonly Seen[], known: readonly FaceOnFile[], nextId: () => string): Sighting[] {
  const pairs = seen
    .flatMap((one) => known.map((face) => ({ one, face, share: overlapOf(one.box, face.face_box) })))
    .filter(({ share }) => share >= SAME_FACE)
    .sort((a, b) => b.share - a.share || (a.face.face_id < b.face.face_id ? -1 : 1));
  const taken = new Map<Seen, FaceOnFile>();
  const used = new Set<string>();
  for (const { one, face } of pairs) {
    if (taken.has(one) || used.has(face.face_id)) continue;
    taken.set(one, face);
    used.add(face.face_id);
  }
  return seen.map((one) => {
    const face = taken.get(one) ?? null;
    return { seen: one, known: face, face_id: face?.face_id ?? nextId() };
  });
}
