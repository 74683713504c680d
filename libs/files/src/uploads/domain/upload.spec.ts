import { Clock, HOUR, Problem } from '@atrium/platform/kernel';
import { CLAIM_LIFE, Upload, UPLOAD_LIFE, UPLOAD_STATES, uploadStates, type UploadState } from './upload';

class SetClock extends Clock {
  constructor(private at = Date.UTC(2026, 0, 1)) {
    super();
  }

  now(): Date {
    return new Date(this.at);
  }

  pass(milliseconds: number): void {
    this.at += milliseconds;
  }
}

const LAWFUL: readonly (readonly [UploadState, UploadState])[] = [
  ['open', 'completing'],
  ['open', 'aborted'],
  ['open', 'expired'],
  ['completing', 'open'],
  ['completing', 'finalized'],
  ['completing', 'rejected'],
  ['completing', 'expired'],
];

const uploadOf = (state: UploadState): Upload =>
  Object.assign(new Upload(), { upl_state: state, upl_claimed: null, file_size: 20, upl_part_size: 8, file_repo: { library: ['media'] } });

describe('an upload', () => {
  it.each(UPLOAD_STATES.flatMap((from) => UPLOAD_STATES.map((to) => [from, to] as const)))(
    'from %s to %s goes as the table says',
    (from, to) => {
      expect(uploadStates.allows(from, to)).toBe(LAWFUL.some(([a, b]) => a === from && b === to));
    },
  );

  it('is held by the call that claimed it, for as long as a claim lives', () => {
    const clock = new SetClock();
    const upload = uploadOf('open');
    const claimed = upload.claim(clock);
    expect(upload.isHeld(clock)).toBe(true);
    expect(upload.isClaimedSince(claimed)).toBe(true);
    clock.pass(CLAIM_LIFE);
    expect(upload.isHeld(clock)).toBe(false);
  });

  it('is taken over when the claim has lapsed, and the first holder finds out', () => {
    const clock = new SetClock();
    const upload = uploadOf('open');
    const first = upload.claim(clock);
    clock.pass(CLAIM_LIFE + 1);
    const second = upload.claim(clock);
    expect(upload.isClaimedSince(first)).toBe(false);
    expect(upload.isClaimedSince(second)).toBe(true);
  });

  it('can be finalized once, and neither aborted nor claimed after that', () => {
    const upload = uploadOf('open');
    upload.claim(new SetClock());
    upload.finalize('a-file');
    expect(upload).toMatchObject({ upl_state: 'finalized', upl_file_id: 'a-file', upl_claimed: null });
    expect(() => upload.abort()).toThrow(Problem);
    expect(() => upload.claim(new SetClock())).toThrow(Problem);
  });

  it('opens again when bytes are missing, and says why when it is rejected', () => {
    const upload = uploadOf('open');
    upload.claim(new SetClock());
    upload.reopen();
    expect(upload.isOpen).toBe(true);
    upload.claim(new SetClock());
    upload.reject('too short');
    expect(upload).toMatchObject({ upl_state: 'rejected', upl_error: 'too short' });
  });

  it('lives for a day after the last activity', () => {
    const clock = new SetClock();
    const upload = uploadOf('open');
    upload.touch(clock);
    clock.pass(HOUR);
    upload.touch(clock);
    expect(upload.upl_expires.getTime()).toBe(clock.now().getTime() + UPLOAD_LIFE);
  });

  it('knows the parts that are missing', () => {
    expect(uploadOf('open').missingParts([1, 3])).toEqual([2]);
    expect(uploadOf('open').missingParts([3, 2, 1])).toEqual([]);
    expect(uploadOf('open').lengthOf(3)).toBe(4);
  });

  it.each([
    [{ library: ['docs'] }, { type: 'docs', id: null }],
    [{ thread: 'x' }, { type: 'thread', id: 'x' }],
    [{ wf_instance: 'y' }, { type: 'workflow', id: 'y' }],
  ])('reads the owner %j', (file_repo, expected) => expect(Object.assign(uploadOf('open'), { file_repo }).repository).toEqual(expected));
});
