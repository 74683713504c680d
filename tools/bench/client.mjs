// A caller of the service under measurement: one workspace, one key.

/** `call(method, path, body)` answers the JSON of what succeeded; `upload(name, bytes)` the id of a finalized file of the media library. */
export function benchClient(port, { headers }) {
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  const upload = async (file_name, bytes) => {
    const opened = await call('POST', '/uploads', { file_repo: { library: ['media'] }, file_name, file_size: bytes.length });
    const sent = await fetch(opened.upl_url, { method: 'PUT', headers: opened.upl_headers, body: bytes });
    if (!sent.ok) throw new Error(`The store answered ${sent.status}.`);
    return (await call('POST', `/uploads/${opened.upl_id}/finalize`)).file_id;
  };
  return { call, upload };
}
