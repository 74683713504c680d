/** Whose data it is; a person who was never a member has an address alone. */
export interface PersonSubject {
  readonly user_id: string | null;
  readonly email: string | null;
}
