import { Choice, IdList, Json, Nested, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Issuer, type IssuerClaims, type RoleMapping } from '../domain/issuer';

const MAX_MAPPINGS = 200;

/** Where in a token to look; absent ones stay, null goes back to the standard claim. */
@Accepts()
class ChangeClaims {
  @Text({ optional: true, min: 1, about: 'Claim that identifies the person.', example: 'sub' }) subject?: string | null;
  @Text({
    optional: true,
    min: 1,
    about: 'Claim with the e-mail address. It is used only when `email_verified` is true.',
    example: 'email',
  })
  email?: string | null;
  @Text({ optional: true, min: 1, about: 'Claim with the name of new members.', example: 'name' }) name?: string | null;
  @Text({
    optional: true,
    min: 1,
    about: 'Claim with a string or list of strings that `iss_role_map` translates. Null: roles are not read from tokens.',
    example: 'realm_access.roles',
  })
  roles?: string | null;
}

@Accepts()
@Answer()
class RoleMappingPart {
  @Text({ min: 1, about: 'Value of the roles claim.', example: 'press-team' }) value!: string;
  @Ref({ about: 'Role assigned for this value.' }) role_id!: string;
}

@Accepts()
class IssuerParts {
  @Nested(() => ChangeClaims, {
    omittable: true,
    about: 'Claims that are read from its tokens: the name of a claim or a dotted path to one.',
  })
  iss_claims?: ChangeClaims;
  @NestedList(() => RoleMappingPart, {
    omittable: true,
    max: MAX_MAPPINGS,
    about: 'Roles assigned by values of the roles claim. At each sign-in, the roles named here are assigned and removed as the token says.',
  })
  iss_role_map?: RoleMapping[];
}

const OPTIONAL = ['iss_jwks_url', 'iss_algorithms', 'iss_provision', 'iss_domains', 'iss_default_role', 'iss_active'] as const;

export class CreateIssuer extends Body(Issuer, {
  required: ['iss_name', 'iss_issuer', 'iss_audiences'],
  optional: OPTIONAL,
  with: IssuerParts,
}) {}

export class ChangeIssuer extends Body(Issuer, { optional: ['iss_name', 'iss_issuer', 'iss_audiences', ...OPTIONAL], with: IssuerParts }) {}

export class ListIssuers extends ListQuery(Issuer) {}

@Answer()
class IssuerClaimsView {
  @Text({ example: 'sub' }) subject!: string;
  @Text({ example: 'email' }) email!: string;
  @Text({ example: 'name' }) name!: string;
  @Text({ optional: true, about: 'Null: roles are not read from tokens.', example: 'realm_access.roles' }) roles!: string | null;
}

@Answer()
export class IssuerView extends View(Issuer, { without: ['iss_claims', 'iss_role_map'] }) {
  @Nested(() => IssuerClaimsView, { about: 'Claims that are read from its tokens.' }) iss_claims!: IssuerClaims;
  @NestedList(() => RoleMappingPart, { about: 'Roles assigned by values of the roles claim.' }) iss_role_map!: RoleMapping[];
}

export class IssuerPage extends PageOf(IssuerView) {}

/** A token to try. */
@Accepts()
export class TestIssuer {
  @Text({ secret: true, optional: true, min: 1, max: 65_536, about: 'Token of the issuer to test; it is not stored.' })
  token?: string | null;
}

@Answer()
class ArrivalView {
  @Choice(['sign_in', 'link', 'join', 'create', 'refuse'], {
    about:
      'Outcome of the sign-in: a known person signs in, a member is linked, an invited person joins, a member is created, or the sign-in is refused.',
  })
  action!: string;
  @Ref({ optional: true, about: 'The member who would sign in. Null for a new member.' }) user_id!: string | null;
  @IdList({ about: 'Roles the member would have after the sign-in.' }) user_roles!: string[];
  @Text({ optional: true, max: 1_000, about: 'Reason the sign-in would be refused.' }) because!: string | null;
}

@Answer()
export class IssuerTrialView {
  @Whole({ about: 'Number of public keys it publishes.', example: 2 }) jwks_keys!: number;
  @TextList({ about: 'Algorithms of these keys.', example: ['RS256'] }) algorithms!: string[];
  @Json({
    optional: true,
    about: 'Claims of the token. Null when no token was sent.',
    example: { sub: '4711', email: 'ada@example.com', email_verified: true },
  })
  claims!: JsonObject | null;
  @Nested(() => ArrivalView, { optional: true, about: 'Outcome of a sign-in with the token. Null when no token was sent.' })
  would_map_to!: ArrivalView | null;
}

/** A token of an issuer that the workspace trusts. */
@Accepts()
export class ExchangeBody {
  @Text({
    secret: true,
    min: 1,
    max: 65_536,
    about: 'ID token (JWT) of the issuer, at most 16 KB.',
    example: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ij…',
  })
  token!: string;
  @Ref({ about: 'The workspace to sign in to.' }) ws_id!: string;
}
