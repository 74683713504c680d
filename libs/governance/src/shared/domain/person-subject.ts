/** Whose data it is; a person who was never a member has an address alone. */
export interface PersonSubject {
  readonly user_id: string | null;
  readonly email: string | null;
  /** The name under which texts mention the person; null where it is another member's too. Names of one word mean much else and are not looked for. */
  readonly name: string | null;
}
