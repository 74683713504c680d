import { Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, type TextForm, Whole } from '@atrium/platform/database';
import { invalidField, isObject, Problem, type Clock, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { choiceSetting, idSetting, type Setting, SettingFault, SettingReader, textSetting } from '@atrium/platform/settings';

export const CONSENT_STATES = ['unknown', 'granted', 'refused'] as const;

/** Whether a person agreed to be shown, until when, and where that is written. */
export interface Consent {
  readonly status: (typeof CONSENT_STATES)[number];
  readonly until?: string;
  readonly note?: string;
  readonly file_id?: string;
}

const MOST_NOTE = 2_000;
const DAY: TextForm = { pattern: /^\d{4}-\d{2}-\d{2}$/, words: 'a date such as 1990-12-31' };

/**
 * Somebody whose faces are in files of the library. A person that was merged into another one is kept as a pointer to it
 * and never changes again.
 */
@Resource({ table: 'person', sort: 'person_name' })
export class Person extends TenantRow {
  @Id({ about: 'Id of the person.' }) readonly person_id!: string;
  @Text({
    optional: true,
    min: 1,
    max: 255,
    about: 'Name of the person. Null if none was given.',
    example: 'Ada Lovelace',
    filter: 'contains',
    sort: true,
  })
  person_name!: string | null;
  @Text({ optional: true, max: 5_000, about: 'Notes about the person.' }) person_description!: string | null;
  @Text({
    optional: true,
    max: 10,
    form: DAY,
    about: 'Date of birth, such as 1990-12-31. Photos taken earlier are never assigned to this person.',
    example: '1990-12-31',
  })
  person_birth_date!: string | null;
  @Flag({ about: 'Whether the person is hidden. Hidden people are listed only on request.', filter: 'equals' }) person_hidden!: boolean;
  @Ref({ optional: true, about: 'Face shown for the person. Default: the newest one.' }) person_cover_face!: string | null;
  @Json({
    about: 'Consent of the person to be shown: `{status, until, note, file_id}`, where `status` is `unknown`, `granted` or `refused`.',
    example: { status: 'granted', until: '2030-01-01T00:00:00Z' },
  })
  person_consent!: JsonObject;
  @Ref({ optional: true, about: 'Person into whom this one was merged.' }) person_merged_into!: string | null;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { department: 'Sales' } }) person_metadata!: JsonObject;
  @Whole({ about: 'Number of faces of the person, without files in the trash.', example: 12, generated: true, sort: true })
  readonly person_face_count!: number;
  @Whole({ about: 'Number of files that show the person, without files in the trash.', example: 12, generated: true })
  readonly person_file_count!: number;
  @Stamp({ about: 'When the person was created.', filter: 'range', sort: true }) person_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) person_updated!: Date;
  @Stamp({ internal: true, optional: true }) person_consent_until!: Date | null;
  @Ref({ internal: true, optional: true }) person_created_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Person, 'person_id' | 'person_consent' | 'person_created_by'>, now: Date): Person {
    return Object.assign(new Person(), {
      person_name: null,
      person_description: null,
      person_birth_date: null,
      person_hidden: false,
      person_cover_face: null,
      person_consent_until: null,
      person_merged_into: null,
      person_metadata: {},
      person_created: now,
      person_updated: now,
      ...facts,
    });
  }

  /** People that were merged into others are only read. */
  assertPresent(): void {
    if (this.person_merged_into !== null)
      throw new Problem('invalid_state', `The person was merged into ${this.person_merged_into}. Change that one.`);
  }

  call(name: string | null): void {
    const tidy = name?.trim().replace(/\s+/g, ' ') ?? null;
    if (tidy === '') throw invalidField('person_name', 'must not be empty', 'too_short');
    this.person_name = tidy;
  }

  wasBorn(day: string | null): void {
    if (day !== null && (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day))
      throw invalidField('person_birth_date', 'must be a date of the calendar', 'date');
    this.person_birth_date = day;
  }

  agreed(consent: Consent): void {
    this.person_consent = { ...consent };
    this.person_consent_until = consent.until === undefined ? null : new Date(consent.until);
  }

  /** Refused, or agreed to for a time that is over. */
  isUnwilling(clock: Clock): boolean {
    return this.person_consent.status === 'refused' || (this.person_consent_until !== null && this.person_consent_until <= clock.now());
  }

  touch(clock: Clock): void {
    this.person_updated = clock.now();
  }
}

const momentSetting: Setting<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : new SettingFault('format', 'must be a date-time');
const noteSetting = textSetting({ max: MOST_NOTE });

/** The consent in a request; throws `validation_failed` with all of its faults. */
export const readConsent = (value: JsonValue | undefined): Consent =>
  SettingReader.read(isObject(value) ? value : {}, 'person_consent', (settings) => {
    const status = settings.required('status', choiceSetting(CONSENT_STATES), 'unknown');
    const until = settings.nullable('until', momentSetting);
    const note = settings.nullable('note', noteSetting);
    const file_id = settings.nullable('file_id', idSetting());
    return {
      status,
      ...(until === null ? {} : { until }),
      ...(note === null ? {} : { note }),
      ...(file_id === null ? {} : { file_id: file_id.toLowerCase() }),
    };
  });
