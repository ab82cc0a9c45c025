/** Sets the secret with which the demo's receiver verifies. @throws Error with its response when it rejects it */
export async function sendSecret(url: string, secret: string): Promise<void> {
  const body = JSON.stringify({ secrets: [secret] });
  const answer = await fetch(`${url}/secrets`, { method: 'PUT', body });
  if (!answer.ok) throw new Error(`the receiver refused the secret: ${await answer.text()}`);
}
