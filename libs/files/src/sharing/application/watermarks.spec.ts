import type { Database } from '@atrium/platform/database';
import { DAY, MINUTE, type Clock } from '@atrium/platform/kernel';
import type { Outbox } from '@atrium/platform/messaging';
import type { Blob, MarkedSet } from '../../blobs/domain/blob';
import type { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { WatermarkMaking } from './watermark-making';
import { Watermarks, digestOf } from './watermarks';

const MARK = { text: 'Draft' };
const DIGEST = digestOf(MARK);
const PICTURE = { key: 'k', w: 1, h: 1, size: 1, type: 'image/webp' };

describe('pictures with a mark that could not be made', () => {
  let now: Date;
  let blobs: Record<string, Pick<Blob, 'blob_id' | 'blob_replicas' | 'blob_system'> & { blob_marked: Record<string, MarkedSet> }>;
  const ordered = jest.fn();
  const db = { read: (work: () => unknown) => work(), write: (work: () => unknown) => work() } as unknown as Database;
  const clock = { now: () => now } as Clock;
  const watermarks = new Watermarks(db, {} as BlobsRepository, { addJob: ordered } as unknown as Outbox, clock);
  const making = new WatermarkMaking(
    ...([
      db,
      {},
      {
        findBlob: (id: string) => Promise.resolve(blobs[id]),
        saveMarkedPictures: (id: string, digest: string, set: MarkedSet) =>
          Promise.resolve(void Object.assign(blobs[id]?.blob_marked ?? {}, { [digest]: set })),
      },
      {},
      {},
      clock,
    ] as unknown as ConstructorParameters<typeof WatermarkMaking>),
  );
  const blob = () => blobs.b!;

  beforeEach(() => {
    now = new Date('2026-03-01T10:00:00Z');
    ordered.mockClear();
    blobs = { b: { blob_id: 'b', blob_replicas: { small: PICTURE }, blob_system: {}, blob_marked: {} } };
  });

  it('are asked for again after a day, and not before', async () => {
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(true);
    await making.giveUp(watermarks.watermarkJob(blob(), MARK));
    expect(watermarks.markedRenditions(blob(), MARK)).toEqual({});
    now = new Date(now.getTime() + DAY - MINUTE);
    watermarks.queueWatermarks([blob()], MARK);
    expect(ordered).not.toHaveBeenCalled();
    now = new Date(now.getTime() + 2 * MINUTE);
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(true);
    watermarks.queueWatermarks([blob()], MARK);
    expect(ordered).toHaveBeenCalledTimes(1);
  });

  it('because the picture of the mark is gone are not ordered with every view', async () => {
    await making.makeWatermark({ blob_id: 'b', digest: DIGEST, picture: 'gone' });
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(false);
  });

  it('because the picture of the mark is still to be read are made as soon as it is there', async () => {
    blobs.mark = { blob_id: 'mark', blob_replicas: {}, blob_system: null, blob_marked: {} };
    await making.makeWatermark({ blob_id: 'b', digest: DIGEST, picture: 'mark' });
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(true);
  });

  it('are those that once were given up without a time, too', () => {
    blob().blob_marked[DIGEST] = {};
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(true);
    blob().blob_marked[DIGEST] = { small: PICTURE };
    expect(watermarks.hasPendingPictures(blob(), MARK)).toBe(false);
  });
});
