export default function ({ data, setTriggerValue }) {
  const name = 'materia-conversation';
  if (data.session) {
    sessionStorage.setItem(name, data.session);
  } else if (data.fresh) {
    const kept = sessionStorage.getItem(name);
    if (kept) setTriggerValue('kept', kept);
  } else {
    sessionStorage.removeItem(name);
  }
  const box = document.querySelector('.st-key-chat_input textarea');
  if (data.offered && box && !box.value) setTriggerValue('taken', data.offered);
}
