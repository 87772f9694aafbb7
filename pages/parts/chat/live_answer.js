// A run has ended: tell the server, once for each time that it hands over.
export default ({ data, setTriggerValue }) => setTriggerValue('ended', data.at);
