/** What a visitor may say of a file. */
export const VERDICTS = ['approved', 'rejected'] as const;
export type VerdictWord = (typeof VERDICTS)[number];
