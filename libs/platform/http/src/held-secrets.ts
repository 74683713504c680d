/**
 * A field with a value by which anyone who knows it could act: addresses, which are usually signed, and credentials. Names end so, and
 * in a text of a user the quote behind would be escaped.
 */
const FIELD_WITH_SECRET = /(?:urls?|token|secret|password|recovery_codes|otpauth_uri)" ?: ?(?! ?null)/i;

/** Whether a text of JSON shows a secret, at any depth. */
export const holdsSecret = (json: string): boolean => FIELD_WITH_SECRET.test(json);
