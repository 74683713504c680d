import { newId, type JsonObject, type Problem } from '@atrium/platform/kernel';
import { checkedAcl } from './checked-acl';

const [ANNA, TEAM] = [newId(), newId()];
const faultOf = (acl: JsonObject): string | undefined => {
  try {
    checkedAcl('ds_acl', acl);
    return undefined;
  } catch (error) {
    const [{ path = '', code = '' } = {}] = (error as Problem).errors ?? [];
    return `${path} ${code}`;
  }
};

describe('an access list that is entered', () => {
  it('gives levels to users, roles and spaces, and may be empty', () => {
    const lists: JsonObject[] = [{}, { users: {} }, { users: { [ANNA]: 'owner' }, roles: { [TEAM]: 'view' }, spaces: { [TEAM]: 'edit' } }];
    for (const acl of lists) {
      expect(checkedAcl('ds_acl', acl)).toBe(acl);
    }
  });

  it.each<[JsonObject, string]>([
    [{ groups: {} }, 'ds_acl.groups unknown_field'],
    [{ users: [] }, 'ds_acl.users object'],
    [{ users: null }, 'ds_acl.users object'],
    [{ users: { anna: 'owner' } }, 'ds_acl.users uuid'],
    [{ users: { [ANNA]: 'admin' } }, `ds_acl.users.${ANNA} choice`],
    [{ users: { [ANNA]: 'toString' } }, `ds_acl.users.${ANNA} choice`],
  ])('is refused as %j', (acl, fault) => expect(faultOf(acl)).toBe(fault));

  it('keeps an owner once it restricts anybody', () => {
    expect(faultOf({ users: { [ANNA]: 'edit' }, roles: { [TEAM]: 'view' } })).toBe('ds_acl owner');
    expect(faultOf({ users: { [ANNA]: 'edit' }, roles: { [TEAM]: 'owner' } })).toBeUndefined();
  });
});
