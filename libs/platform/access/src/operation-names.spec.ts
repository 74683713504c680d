import { operationName } from './operation-names';

describe('the name of an operation', () => {
  it.each([
    ['GET', '/api/v1/albums', 'listAlbums'],
    ['POST', '/api/v1/albums', 'createAlbum'],
    ['GET', '/api/v1/albums/:id', 'getAlbum'],
    ['PATCH', '/api/v1/albums/:id', 'updateAlbum'],
    ['PUT', '/api/v1/admin/media-status-flows/:id', 'replaceMediaStatusFlow'],
    ['DELETE', '/api/v1/people/:id', 'deletePerson'],
    ['GET', '/api/v1/people/:id/files', 'listPersonFiles'],
    ['POST', '/api/v1/files/:id/versions', 'createFileVersion'],
    ['GET', '/api/v1/files/:id/versions/:version_id', 'getFileVersion'],
    ['POST', '/api/v1/files/:id/versions/:version_id/restore', 'restoreFileVersion'],
    ['POST', '/api/v1/files/actions/purge', 'purgeFiles'],
    ['POST', '/api/v1/files/actions/detect-faces', 'detectFacesFiles'],
    ['POST', '/api/v1/memories', 'createMemory'],
    ['GET', '/api/v1/albums/stats', 'getAlbumStats'],
    ['GET', '/api/v1/file-analyses', 'listFileAnalyses'],
    ['GET', '/api/v1/file-analyses/:id', 'getFileAnalysis'],
    ['DELETE', '/api/v1/admin/users/:id/sessions', 'removeUserSessions'],
    ['POST', '/api/v1/me/api-keys/:id/rotate', 'rotateMyApiKey'],
    ['POST', '/api/v1/public/shares/:token/unlock', 'unlockShare'],
    ['GET', '/operator/v1/workspaces', 'listOperatorWorkspaces'],
  ])('of %s %s is %s', (method, path, name) => {
    expect(operationName(method, path)).toBe(name);
  });
});
