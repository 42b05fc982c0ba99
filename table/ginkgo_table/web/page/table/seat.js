// The game as this seat sees it: `game` is what the server sent last. `chosen` is what the person has put together so far.

let game = null;

const token = decodeURIComponent(location.pathname.split("/").pop());
const seatPath = (what = "") => `api/seats/${encodeURIComponent(token)}${what}`;

const chosen = { picks: {}, about: null, action: null };
let sending = false; // a decision is on its way

const decision = () => game.decision;
const actions = () => (game.decision ? game.decision.actions : []);
const actionOf = (id) => actions().find((one) => one.id === id) || null;
const isMyTurn = () => game.decision !== null;
const isOver = () => game.result !== null;
const isAgent = (side) => game.agents[side] !== null;

// The label of a pick; without one, its notation.
const pickText = (group, name) => (hasText(`pick:${group}:${name}`) ? t(`pick:${group}:${name}`) : name);
const groupText = (group) => (group === "action" ? t("Action") : labelOf("group", group));

// The text of an action: a sentence of the game, the labels of its picks, or its notation.
const actionText = (action) => action.sentence || pickedText(action.picks) || action.text;
const pickOfNotation = (action) => (hasText(`pick:${action}`) ? t(`pick:${action}`) : action);
const roundName = (round) => (round === 0 ? t("Before round 1") : t("Round {number}", { number: round }));
const pointsText = (points) => tn("{number} point", "{number} points", points);
