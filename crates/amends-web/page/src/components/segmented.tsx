// A few choices in a row, one of them chosen.
interface Props {
  name: string;
  legend: string;
  value: string;
  options: readonly { value: string; text: string }[];
  choose: (value: string) => void;
}

export function Segmented({ name, legend, value, options, choose }: Props) {
  return (
    <fieldset class="segmented">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => choose(option.value)} />
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
