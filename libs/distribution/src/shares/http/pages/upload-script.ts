import { KIOSK_SCRIPT } from './kiosk-script';

/** Sends files from the page: by the public upload calls, three at once, with messages in the words of the page. */
export const UPLOAD_SCRIPT = `
(() => {
  'use strict';
  const main = document.querySelector('[data-upload]');
  if (!main) return;
  const api = main.dataset.upload;
  const words = JSON.parse(main.dataset.words);
  const storeKey = 'atrium-visit:' + api;
  const deviceKey = 'atrium-device:' + api;
  const kiosk = main.dataset.kiosk === 'yes';
  let visit = kiosk ? '' : sessionStorage.getItem(storeKey) || '';
  let beginning = null;
  let begun = () => Promise.resolve();
  let leaveDevice = () => undefined;
  let progressed = () => undefined;
  // What a guest began at a kiosk ends with them: answers that come later belong to no round any more.
  let round = 0;
  const requests = new Set();
  let access = main.dataset.access || sessionStorage.getItem(deviceKey) || '';
  const $ = (selector) => main.querySelector(selector);
  const zone = $('.drop');
  const input = $('input[type=file]');
  const queue = $('.queue');
  const thanks = $('.thanks');
  const AT_ONCE = 3;
  const waiting = [];
  let running = 0;
  let failed = 0;
  let sent = 0;

  const headers = (more) => {
    return Object.assign({}, more, visit ? { 'X-Visit': visit } : {}, access ? { Authorization: 'Bearer ' + access } : {});
  };
  const call = async (path, body, method) => {
    const response = await fetch(api + path, { method: method || 'POST', headers: headers({ 'Content-Type': 'application/json' }), body: body === undefined ? undefined : JSON.stringify(body) });
    const named = response.headers.get('X-Visit');
    if (named && !kiosk) sessionStorage.setItem(storeKey, (visit = named));
    const device = response.headers.get('X-Device-Token');
    if (device) {
      access = device;
      sessionStorage.setItem(deviceKey, device);
    }
    const answer = response.status === 204 ? null : await response.json().catch(() => null);
    if (response.ok) return answer;
    if (response.status === 401 && kiosk) {
      sessionStorage.removeItem(deviceKey);
      access = '';
      leaveDevice();
    }
    const fault = answer && answer.errors && answer.errors[0];
    throw new Error((fault && (words.faults[fault.code] || fault.message)) || (answer && answer.detail) || words.failed);
  };
  // What is sent belongs to one visit: until the first answer has named it, the others wait for their turn.
  let turn = Promise.resolve();
  const open = async (wanted) => {
    if (kiosk && visit === '') await begun();
    if (visit !== '') return call('/uploads', wanted);
    const before = turn;
    let done;
    turn = new Promise((resolve) => { done = resolve; });
    await before;
    try {
      return await call('/uploads', wanted);
    } finally {
      done();
    }
  };
  const put = (link, body, told) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    requests.add(request);
    request.onloadend = () => requests.delete(request);
    request.onabort = () => reject(new Error(words.failed));
    request.open('PUT', link.upl_url);
    for (const name of Object.keys(link.upl_headers || {})) if (!/^(host|content-length)$/i.test(name)) request.setRequestHeader(name, link.upl_headers[name]);
    request.upload.onprogress = (event) => told(event.loaded);
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(new Error(words.failed)));
    request.onerror = () => reject(new Error(words.failed));
    request.send(body);
  });

  const takePlace = (n) => {
    const place = $('[data-left]');
    if (!place) return;
    place.dataset.left = String(Number(place.dataset.left) - n);
    place.textContent = words.left.replace('{n}', String(Math.max(0, Number(place.dataset.left))));
  };
  const row = (file) => {
    const item = document.createElement('li');
    const title = document.createElement('span');
    const said = document.createElement('span');
    const progress = document.createElement('progress');
    title.className = 'title';
    title.textContent = file.name;
    said.className = 'said';
    said.textContent = words.waiting;
    said.setAttribute('role', 'status');
    progress.max = Math.max(1, file.size);
    progress.value = 0;
    item.append(title, said, progress);
    queue.append(item);
    return { item, said, progress };
  };
  const extras = () => {
    const value = (name) => { const field = $('[data-field=' + name + ']'); return field && field.value.trim() ? field.value.trim() : undefined; };
    const tags = value('tags');
    const album = value('album');
    return { name: value('name'), email: value('email'), tags: tags ? tags.split(',').map((tag) => tag.trim()).filter(Boolean) : undefined, album_ids: album ? [album] : undefined };
  };
  const send = async (task) => {
    const { file, said, progress, item } = task;
    const mine = round;
    let taken = false;
    item.className = '';
    const why = item.querySelector('.why');
    if (why) why.remove();
    const again = item.querySelector('button');
    if (again) again.remove();
    try {
      const most = Number(main.dataset.most || 0);
      if (most && file.size > most) throw new Error(words.tooLarge);
      const told = (bytes) => {
        progressed();
        progress.value = bytes;
        said.textContent = words.sending + ' ' + Math.floor((100 * bytes) / Math.max(1, file.size)) + ' %';
      };
      told(0);
      takePlace(1);
      taken = true;
      const upload = task.upload = await open(Object.assign({ file_name: file.name, file_size: file.size, file_type: file.type || undefined }, extras()));
      if (upload.upl_mode === 'single') await put(upload, file, told);
      else await parts(upload, file, told);
      said.textContent = words.finishing;
      await call('/uploads/' + upload.upl_id + '/finalize', {});
      progress.value = progress.max;
      said.textContent = words.sent;
      item.className = 'done';
      if (mine === round) sent += 1;
    } catch (error) {
      if (mine !== round) return;
      // A place that was not filled is free again.
      if (task.upload) call('/uploads/' + task.upload.upl_id, undefined, 'DELETE').catch(() => undefined);
      task.upload = null;
      if (taken) takePlace(-1);
      failed += 1;
      item.className = 'failed';
      said.textContent = words.failed;
      const reason = document.createElement('span');
      reason.className = 'why';
      reason.textContent = error.message;
      const retry = document.createElement('button');
      retry.type = 'button';
      retry.className = 'button quiet small';
      retry.textContent = words.retry;
      retry.onclick = () => { failed -= 1; waiting.push(task); next(); };
      item.append(reason, retry);
    }
  };
  const parts = async (upload, file, told) => {
    const size = upload.upl_part_size;
    const links = new Map(upload.upl_parts.map((part) => [part.part, part]));
    for (let part = 1; part <= upload.upl_part_count; part += 1) {
      if (!links.has(part)) {
        const numbers = [];
        for (let at = part; at <= Math.min(upload.upl_part_count, part + 99); at += 1) numbers.push(at);
        for (const link of (await call('/uploads/' + upload.upl_id + '/parts', { parts: numbers })).upl_parts) links.set(link.part, link);
      }
      const from = (part - 1) * size;
      await put(links.get(part), file.slice(from, from + size), (bytes) => told(from + bytes));
    }
  };
  const next = () => {
    thanks.hidden = kiosk || !(running === 0 && waiting.length === 0 && sent > 0 && failed === 0);
    while (running < AT_ONCE && waiting.length > 0) {
      running += 1;
      const mine = round;
      send(waiting.shift()).finally(() => {
        if (mine !== round) return;
        running -= 1;
        next();
      });
    }
  };
  const add = (files) => {
    const form = $('form.fields');
    if (form && !form.reportValidity()) return;
    for (const file of files) waiting.push(Object.assign({ file }, row(file)));
    next();
  };

  input.addEventListener('change', () => { add(input.files); input.value = ''; });
  for (const name of ['dragenter', 'dragover']) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add('over'); });
  for (const name of ['dragleave', 'drop']) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.remove('over'); });
  zone.addEventListener('drop', (event) => add(event.dataTransfer.files));
  addEventListener('beforeunload', (event) => { if (running > 0) event.preventDefault(); });
  if (!kiosk) return;
${KIOSK_SCRIPT}
})();
`.trim();
