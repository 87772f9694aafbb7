export default function ({ data, parentElement }) {
  parentElement.querySelector('button')?.remove();
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = data.label;
  if (data.title) button.title = data.title;
  const copied = (done) => {
    button.textContent = done ? 'Copied' : data.failed;
    setTimeout(() => { button.textContent = data.label; }, 2000);
  };
  // A page that is not served securely has no clipboard; a selection can be copied there.
  const copySelection = () => {
    const box = document.createElement('textarea');
    box.value = data.text;
    box.style.position = 'fixed';
    box.style.opacity = '0';
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    button.focus();
    return done;
  };
  button.onclick = () => {
    if (!navigator.clipboard) return copied(copySelection());
    navigator.clipboard.writeText(data.text).then(() => copied(true), () => copied(copySelection()));
  };
  parentElement.append(button);
}
