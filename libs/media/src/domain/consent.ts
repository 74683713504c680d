/** Consent that was given for a time that is over. */
export interface EndedConsent {
  readonly at: Date;
  readonly file_ids: readonly string[];
}
