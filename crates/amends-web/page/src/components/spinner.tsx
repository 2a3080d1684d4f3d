export function Spinner({ text }: { text: string }) {
  return (
    <p class="spinner-line" role="status">
      <span class="spinner" aria-hidden="true" /> {text}
    </p>
  );
}
