/** The command did its work, and found what somebody has to look at. It has been printed; the message sums it up. */
export class ProblemsFound extends Error {
  override readonly name = 'ProblemsFound';
}
