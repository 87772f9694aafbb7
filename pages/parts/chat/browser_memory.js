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
  // Offered until it is taken: what a page tells while it is drawn anew may not arrive.
  clearInterval(window.materiaOffer);
  if (!data.offered) return;
  const offer = () => {
    const box = document.querySelector('.st-key-chat_input textarea');
    if (!box || box.value) return Boolean(box);
    setTriggerValue('taken', data.offered);
    return false;
  };
  if (!offer()) {
    window.materiaOffer = setInterval(() => {
      if (offer()) clearInterval(window.materiaOffer);
    }, 1000);
  }
}
