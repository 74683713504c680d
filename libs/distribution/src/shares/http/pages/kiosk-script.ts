/**
 * What a kiosk does besides sending, as a part of the upload script: the door, a visit for each guest, the end of it by a
 * button or by standing idle, and nothing left of the guest before. All of a guest is in memory only.
 */
export const KIOSK_SCRIPT = `
  const door = $('form.door');
  const bar = $('.kioskbar');
  const bye = $('.bye');
  const room = $('.room');
  const done = $('[data-done]');
  const countdown = $('.countdown');
  const IDLE = Number(main.dataset.idle || 60);
  const THANKS = 8;
  const SOON = 10;
  let touched = Date.now();
  let thanked = 0;

  const fill = (text, n) => text.replace('{n}', n);
  const active = () => { touched = Date.now(); };
  const isUsed = () => visit !== '' || queue.children.length > 0 || [...room.querySelectorAll('input:not([type=file]),select')].some((field) => field.value !== '');
  const enter = (ready) => {
    door.hidden = ready;
    room.hidden = !ready;
    bye.hidden = true;
    bar.hidden = true;
    if (ready) $('.room h1').textContent = sessionStorage.getItem(deviceKey + ':name') || '';
  };
  const begin = () => (beginning = beginning || call('/visit', {}).then((answer) => { visit = answer.visit; }).finally(() => { beginning = null; }));
  /** Nothing of the guest stays: neither on the page nor in what the browser would bring back. */
  const forget = () => {
    for (const request of requests) request.abort();
    waiting.length = 0;
    failed = 0;
    sent = 0;
    visit = '';
    round += 1;
    running = 0;
    queue.replaceChildren();
    thanks.hidden = true;
    for (const form of main.querySelectorAll('form')) form.reset();
    input.value = '';
    document.activeElement && document.activeElement.blur();
    scrollTo(0, 0);
  };
  const leave = (thank) => {
    const ended = visit === '' ? null : call('/visit', undefined, 'DELETE').catch(() => undefined);
    forget();
    enter(access !== '');
    active();
    if (!thank || access === '') return ended;
    thanked = Date.now();
    room.hidden = true;
    bye.hidden = false;
    bye.querySelector('h1').focus();
    tick();
    return ended;
  };
  const tick = () => {
    const now = Date.now();
    if (!bye.hidden) {
      const left = THANKS - Math.floor((now - thanked) / 1000);
      bye.querySelector('.next').textContent = fill(words.next, Math.max(0, left));
      if (left <= 0) enter(access !== '');
      return;
    }
    if (room.hidden) {
      if (now - touched > IDLE * 1000) door.reset();
      return;
    }
    const used = isUsed();
    bar.hidden = !used;
    done.disabled = running > 0 || waiting.length > 0;
    if (!used) return active();
    const left = IDLE - Math.floor((now - touched) / 1000);
    countdown.textContent = fill(words.startsOver, Math.max(0, left));
    countdown.classList.toggle('soon', left <= SOON);
    countdown.setAttribute('aria-live', left === SOON ? 'assertive' : 'off');
    if (left <= 0) leave(false);
  };
  door.addEventListener('submit', async (event) => {
    event.preventDefault();
    const note = door.querySelector('.note');
    note.hidden = true;
    try {
      const answer = await call('/activate', { password: door.querySelector('[type=password]').value });
      access = answer.device_token;
      sessionStorage.setItem(deviceKey, access);
      sessionStorage.setItem(deviceKey + ':name', answer.share_name);
      forget();
      enter(true);
    } catch (error) {
      note.textContent = error.message;
      note.hidden = false;
    }
  });
  done.addEventListener('click', () => leave(sent > 0));
  bye.querySelector('button').addEventListener('click', () => enter(access !== ''));
  for (const name of ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchstart', 'drop']) addEventListener(name, active, { passive: true, capture: true });
  // A page that comes back from the browser's memory, or whose fields the browser has filled again, starts over.
  addEventListener('pageshow', (event) => { if (event.persisted) leave(false); else forget(); });
  setInterval(tick, 500);
  begun = begin;
  leaveDevice = () => { forget(); enter(false); };
  progressed = active;
  enter(access !== '');
`;
