/** What credentials of sources are sealed for; one that was sealed for another use does not open. */
export const CREDENTIAL_USE = 'object-source';
