/** The mark of the product. */
export function Brand() {
  return (
    <svg aria-hidden="true" width="26" height="26" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path d="M7 11l9 6 9-6v11H7z" fill="#fff" />
      <path d="M7 9h18l-9 6z" fill="#c7d2fe" />
    </svg>
  );
}
