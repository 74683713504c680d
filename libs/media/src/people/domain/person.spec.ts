import type { JsonObject } from '@atrium/platform/kernel';
import { readConsent } from './person';

const FILE = '0190A8C4-0000-7000-8000-00000000000F';

describe('the consent of a person', () => {
  it('is read in its normal form, without what is null', () => {
    expect(readConsent({ status: 'granted', until: '2027-01-01', note: null, file_id: FILE })).toEqual({
      status: 'granted',
      until: '2027-01-01T00:00:00.000Z',
      file_id: FILE.toLowerCase(),
    });
    expect(readConsent({ status: 'refused', note: 'By letter.' })).toEqual({ status: 'refused', note: 'By letter.' });
  });

  it.each<[consent: JsonObject, path: string, code: string]>([
    [{}, 'status', 'required'],
    [{ status: 'perhaps' }, 'status', 'option'],
    [{ status: 'granted', until: 'soon' }, 'until', 'format'],
    [{ status: 'granted', until: '2027-02-99' }, 'until', 'format'],
    [{ status: 'granted', until: 2027 }, 'until', 'format'],
    [{ status: 'granted', note: 'x'.repeat(2_001) }, 'note', 'length'],
    [{ status: 'granted', file_id: 'x' }, 'file_id', 'type'],
    [{ status: 'granted', by: 'Ada' }, 'by', 'unknown_field'],
  ])('is refused where it does not fit: %j', (consent, path, code) => {
    expect(() => readConsent(consent)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: `person_consent.${path}`, code })] }),
    );
  });
});
