/** A place among the consents that end: by the moment, the person, and the file that shows them. */
export interface ConsentPlace {
  readonly at: Date;
  readonly id: string;
  readonly file_id: string;
}

/** Consent that was given for a time that is over: files of one person, and where others go on. */
export interface EndedConsent {
  readonly file_ids: readonly string[];
  readonly place: ConsentPlace;
}
