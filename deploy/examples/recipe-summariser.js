// Summarises recipes, for module.yaml: their ingredients, for how many they are, and how long they take.

/** @type {import('garner/summariser').Summarise} */
export function summarise(document) {
  const lines = document.text().split('\n');
  /** @param {string} label */
  const said = (label) => lines.find((line) => line.startsWith(`${label}:`))?.slice(label.length + 1);
  const ingredients = lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
  return {
    Title: lines[0] || document.name,
    Ingredient: ingredients,
    'Ingredient-Count': ingredients.length,
    Serves: said('Serves'),
    Minutes: said('Minutes'),
  };
}
