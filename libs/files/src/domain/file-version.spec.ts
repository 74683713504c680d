import { Clock } from '@atrium/platform/kernel';
import type { Blob } from './blob';
import { File } from './file';
import { FileVersion } from './file-version';

class NoonClock extends Clock {
  now(): Date {
    return new Date('2026-03-01T12:00:00.000Z');
  }
}

const clock = new NoonClock();
const TEXT_LOSS = { share: 0.2, reason: '2 of the 10 words and numbers of the file are missing from its text.' };

const seen = (blob_system: Blob['blob_system']): Blob => ({
  blob_id: 'b',
  blob_hash: 'hash',
  blob_size: 1,
  blob_type: 'application/pdf',
  blob_key: 'k',
  blob_replicas: {},
  blob_system,
  blob_scanned: null,
  blob_malware: null,
  blob_corrupt: null,
  blob_marked: {},
});
const fileOf = (file_hash: string | null, system: Record<string, unknown>): File =>
  Object.assign(new File(), { file_id: 'f', file_hash, file_metadata: { project: 'harbour', system } });
const version = Object.assign(new FileVersion(), { fv_id: 'v', fv_hash: 'hash', fv_type: 'application/pdf', fv_size: 1, fv_replicas: '' });

describe('a look into the bytes of a file', () => {
  it('that ends after their text was read keeps what the text has shown', () => {
    const file = fileOf('hash', { text_loss: TEXT_LOSS, pages: 3, width: 1 });
    version.reveal(file, seen({ height: 7 }), clock);
    expect(file.file_metadata).toEqual({ project: 'harbour', system: { text_loss: TEXT_LOSS, pages: 3, height: 7 } });
    version.reveal(file, seen({ pages: 4 }), clock);
    expect(file.file_metadata).toEqual({ project: 'harbour', system: { text_loss: TEXT_LOSS, pages: 4 } });
  });

  it('shows nothing of the text of other bytes', () => {
    const file = fileOf('other', { text_loss: TEXT_LOSS, pages: 3 });
    version.reveal(file, seen({ height: 7 }), clock);
    expect(file.file_metadata).toEqual({ project: 'harbour', system: { height: 7 } });
    const next = fileOf('hash', { text_loss: TEXT_LOSS, source: { kind: 'copy' } });
    version.becomeCurrent(next, 'document', clock);
    expect(next.file_metadata).toEqual({ project: 'harbour', system: { source: { kind: 'copy' } } });
  });
});
