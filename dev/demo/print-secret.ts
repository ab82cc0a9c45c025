/** Lets the demo's receiver verify by this secret from now on. @throws Error with what it answered when it refuses */
export async function tellSecret(url: string, secret: string): Promise<void> {
  const body = JSON.stringify({ secrets: [secret] });
  const answer = await fetch(`${url}/secrets`, { method: 'PUT', body });
  if (!answer.ok) throw new Error(`the receiver refused the secret: ${await answer.text()}`);
}
