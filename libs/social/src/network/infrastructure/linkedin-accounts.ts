import { Injectable } from '@nestjs/common';
import type { GrantedAccount, GrantedAuthor } from '../domain/social-port';
import { SocialFailure } from '../domain/social-failure';
import { ME, ORGANIZATION, ORGANIZATION_ACLS, USER_INFO } from './linkedin-answers';
import { LinkedInCalls } from './linkedin-calls';

const ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN'];
const ORGANIZATION_URN = /^urn:li:organization:(\d+)$/;
const MOST_ORGANIZATIONS = 100;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly picture: string | null;
}

/** Who granted access, and as whom they may post. */
@Injectable()
export class LinkedInAccounts {
  constructor(private readonly calls: LinkedInCalls) {}

  async readAccount(access: string, scopes: readonly string[]): Promise<GrantedAccount> {
    const person = await this.readPerson(access, scopes);
    const urn = `urn:li:person:${person.id}`;
    const authors: GrantedAuthor[] = [];
    if (scopes.includes('w_member_social'))
      authors.push({
        kind: 'person',
        external_id: urn,
        name: person.name,
        picture: person.picture,
        role: null,
        // Numbers are read of organizations alone.
        can: { post: true, read_stats: false },
      });
    if (scopes.includes('w_organization_social') && scopes.includes('rw_organization_admin'))
      authors.push(...(await this.readOrganizations(access, scopes)));
    return { account_id: urn, account_name: person.name, account_picture: person.picture, authors };
  }

  private async readPerson(access: string, scopes: readonly string[]): Promise<Person> {
    if (scopes.includes('openid')) {
      const { sub, name, picture } = await this.calls.readPlain(access, '/v2/userinfo', USER_INFO);
      return { id: sub, name: name ?? sub, picture: picture ?? null };
    }
    if (!scopes.includes('r_basicprofile'))
      throw new SocialFailure('missing_scope', 'The grant does not show whose it is. Request the scope openid or r_basicprofile.');
    const { id, localizedFirstName, localizedLastName } = await this.calls.readPlain(access, '/v2/me', ME);
    const name = [localizedFirstName, localizedLastName].filter((part) => part !== undefined && part !== '').join(' ');
    return { id, name: name === '' ? id : name, picture: null };
  }

  private async readOrganizations(access: string, scopes: readonly string[]): Promise<GrantedAuthor[]> {
    const path = '/rest/organizationAcls?q=roleAssignee&state=APPROVED&count=100';
    const { elements } = await this.calls.readRest(access, { method: 'GET', path }, ORGANIZATION_ACLS);
    const authors: GrantedAuthor[] = [];
    for (const { role, organization, organizationTarget } of elements.slice(0, MOST_ORGANIZATIONS)) {
      const external_id = organization ?? organizationTarget ?? '';
      const id = ORGANIZATION_URN.exec(external_id)?.[1];
      if (id === undefined || !ROLES.includes(role) || authors.some((one) => one.external_id === external_id)) continue;
      const { localizedName, vanityName } = await this.calls.readRest(
        access,
        { method: 'GET', path: `/rest/organizations/${id}` },
        ORGANIZATION,
      );
      authors.push({
        kind: 'organization',
        external_id,
        name: localizedName ?? vanityName ?? external_id,
        picture: null,
        role,
        can: { post: true, read_stats: scopes.includes('r_organization_social') || scopes.includes('rw_organization_admin') },
      });
    }
    return authors;
  }
}
